import '#testing/whole.ts'
import '../foreign.test.ts'
