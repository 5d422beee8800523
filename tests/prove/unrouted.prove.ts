import '#testing/whole.ts'
import '../unrouted.test.ts'
