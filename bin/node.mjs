#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'

// Type stripping is stable and crypto.argon2 exists from here on.
const OLDEST = [24, 12]

/** The path of a Node that runs the sources as they are: the pinned one from npm, else this process's own. */
export function pinnedNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  try {
    const root = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(root, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return process.execPath
    const found = `${process.versions.node} on ${process.platform}-${process.arch}`
    console.error(`stoa needs Node ${OLDEST.join('.')} or later; this is ${found}, and npm has no Node for it.`)
    process.exit(1)
  }
}

/**
 * Runs the pinned Node with these arguments, hands signals on to it and ends as it ends.
 * With `watched`, the child holds a pipe that closes when this process dies, however it dies.
 */
export function runNode(args, watched = false) {
  const stdio = ['inherit', 'inherit', 'inherit', ...(watched ? ['ipc'] : [])]
  const child = spawn(pinnedNode(), args, { stdio })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`stoa could not start Node: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

if (process.argv[1] === import.meta.filename || process.argv[1]?.endsWith('node.mjs')) runNode(process.argv.slice(2))
