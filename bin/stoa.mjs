#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { runNode } from './node.mjs'

const path = from => fileURLToPath(new URL(from, import.meta.url))

// What Node has compiled is used again by later starts, which need half of the processor time; `npm ci` removes it with the packages.
// Where the folder cannot be written to, Node does without.
process.env.NODE_COMPILE_CACHE ??= path('../node_modules/.cache/stoa')

runNode([path('../src/main.ts'), ...process.argv.slice(2)], true)
