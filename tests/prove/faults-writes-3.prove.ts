import { proveWrites } from '#testing/faults/writes.ts'

proveWrites(2, 3)
