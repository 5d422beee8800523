import type { Command } from './command.ts'

/** Runs the server. */
export const serve: Command = {
  name: 'serve',
  usage: 'stoa serve',
  summary: 'Run the server; the first start also creates the database and the first school',
  options: {},
  // Settings are read before: a wrong one is refused without loading the server.
  run: async run => (await import('./run-server.ts')).runServer(run),
}
