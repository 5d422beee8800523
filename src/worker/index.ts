export { startWorker, type Worker, type WorkerParts } from './worker.ts'
