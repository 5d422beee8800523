import '#testing/whole.ts'
import '../matrix.test.ts'
