import '#testing/whole.ts'
import '../edges.test.ts'
