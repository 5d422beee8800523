import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** The load of the machine in the last minute, five and fifteen minutes. */
export const loadNow = (): number[] => loadavg().map(one => Number(one.toFixed(2)))

/** The machine on which something is measured. */
export const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  load: loadNow(),
})

/** The machine in one line for people. */
export const machineLine = ({ cpu, cores, memory_gb, node, load }: ReturnType<typeof machine>): string =>
  `${cores} cores, ${cpu}, ${memory_gb} GB, Node ${node}, load ${load.join(' ')}`
