import { fileURLToPath } from 'node:url'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { locateModule, MODULES, moduleNames, readModulePath } from '#src/kit/browser-modules.ts'
import { stable } from '#src/kit/cacheable.ts'
import { nothingHere } from './routes.ts'

const YEAR = 365 * 24 * 3600
// The browsers of two years.
const TARGET = ['chrome131', 'edge131', 'firefox133', 'safari18.2']

let running = 0

/** Bundles a module with all that it imports; throws what is wrong with its source. */
export const bundle = async (source: URL): Promise<Buffer> => {
  const { build, stop } = await import('esbuild')
  running += 1
  try {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(source)],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: TARGET,
      logLevel: 'silent',
    })
    return Buffer.concat(outputFiles.map(({ contents }) => contents))
  } finally {
    running -= 1
    // Its process would wait for the next module, and there are few.
    if (running === 0) await stop()
  }
}

/** Makes something once for each key, also for all who ask at the same time; what failed is made again. */
export const createOnce = <Key, Made>(make: (key: Key) => Promise<Made>): ((key: Key) => Promise<Made>) => {
  const made = new Map<Key, Promise<Made>>()
  return key => {
    const making = made.get(key) ?? make(key)
    made.set(key, making)
    making.catch(() => made.delete(key))
    return making
  }
}

const readBundle = createOnce(async (path: string) => {
  const name = moduleNames.find(one => readModulePath(one) === path)
  if (name === undefined) throw nothingHere()
  return bundle(locateModule(name))
})

/** The modules of the pages, bundled when they are first asked for. */
export const moduleEndpoint: Endpoint = endpoint({
  route: `GET ${MODULES}:file`,
  handle: async request => {
    const body = await readBundle(request.path)
    const reply = stable(request.header('if-none-match'), 'text/javascript; charset=utf-8', body, YEAR)
    const headers = {
      ...reply.headers,
      'cache-control': `public, max-age=${YEAR}, immutable`,
      'content-security-policy': "default-src 'none'",
    }
    return { ...reply, headers }
  },
})
