// One thing: what a bench measured as a chart: `node bin/node.mjs bench/plot.ts now.json > ratios.svg`.
import { readFileSync } from 'node:fs'
import type { Measured } from './measure.ts'
import { latencyChart } from './plots/latencies.ts'
import { ratioChart } from './plots/ratios.ts'
import type { Scale } from './scale/index.ts'

type Figures = { readonly measured: readonly Measured[]; readonly scale?: Scale }

const [file = ''] = process.argv.slice(2)
const { measured, scale } = JSON.parse(readFileSync(file, 'utf8')) as Figures
process.stdout.write(scale === undefined ? ratioChart(measured) : latencyChart(scale))
