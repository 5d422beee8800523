import { proveWrites } from '#testing/faults/writes.ts'

proveWrites(1, 3)
