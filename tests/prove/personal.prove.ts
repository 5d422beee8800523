import '#testing/whole.ts'
import '../personal.test.ts'
