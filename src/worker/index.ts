export { parkedFacts } from './facts.queries.ts'
export { createFactDelivery } from './facts.ts'
export { createSweeping } from './sweep.ts'
export { startWorker, type Worker, type WorkerParts } from './worker.ts'
