import type { Command } from './command.ts'

/** Shows the settings and checks the installation. */
export const doctor: Command = {
  name: 'doctor',
  usage: 'stoa doctor',
  summary: 'Show the settings and check database, logins, migrations, clock and base URLs',
  options: {},
  run: async run => (await import('./checks.ts')).checkInstallation(run),
}
