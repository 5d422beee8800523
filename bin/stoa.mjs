#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { runNode } from './node.mjs'

runNode([fileURLToPath(new URL('../src/main.ts', import.meta.url)), ...process.argv.slice(2)], true)
