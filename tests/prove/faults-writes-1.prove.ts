import { proveWrites } from '#testing/faults/writes.ts'

proveWrites(0, 3)
