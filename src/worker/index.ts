export { createSweeping } from './sweep.ts'
export { startWorker, type Worker, type WorkerParts } from './worker.ts'
