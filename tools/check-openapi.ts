import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXAMPLE_BASE, openapi } from '#src/http/index.ts'
import { areas } from '../src/areas.ts'
import { redocly, spectral } from './openapi-linters.ts'
import { buildRequests, type Description } from './openapi-requests.ts'

// Two linters read the description as it is served, whole, and one of them the half that clients send.

const lint = async (folder: string): Promise<boolean> => {
  const description = openapi({ name: 'Crumb & Crust', baseUrl: EXAMPLE_BASE }, areas) as Description
  const whole = join(folder, 'openapi.json')
  const requests = join(folder, 'requests.json')
  await writeFile(whole, JSON.stringify(description, null, 2))
  await writeFile(requests, JSON.stringify(buildRequests(description), null, 2))
  const results = [
    await redocly(whole),
    await spectral(whole, 'spectral.yaml'),
    await spectral(requests, 'spectral-requests.yaml'),
  ]
  for (const { output } of results) console.log(output.trim())
  return results.every(({ passes }) => passes)
}

const folder = await mkdtemp(join(tmpdir(), 'stoa-openapi-'))
const isClean = await lint(folder).finally(() => rm(folder, { recursive: true, force: true }))
process.exitCode = isClean ? 0 : 1
