import '#testing/whole.ts'
import '../fuzz.test.ts'
