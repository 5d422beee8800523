import '#testing/whole.ts'
import '../allowed-actions.test.ts'
