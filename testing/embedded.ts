export { type Lock, readLock } from '../src/db/embedded/lock-file.ts'
