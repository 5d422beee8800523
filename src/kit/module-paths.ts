import { registerHooks } from 'node:module'

// One thing: imported first, it makes a start of Node cheaper by a third (decision 136). Imports that name a file exactly, relative or
// below the package (`imports` of package.json), need none of the lookups in folders and package.json by which Node finds a module.

const PACKAGE = new URL('../../', import.meta.url)

const resolveFile = (specifier: string, parent: string | undefined): URL | undefined => {
  if (specifier.startsWith('#')) return specifier.endsWith('.ts') ? new URL(specifier.slice(1), PACKAGE) : undefined
  return specifier.startsWith('.') ? new URL(specifier, parent) : undefined
}

const chooseFormat = (specifier: string): string | undefined => {
  if (specifier.endsWith('.ts')) return 'module-typescript'
  return specifier.endsWith('.mjs') ? 'module' : undefined
}

registerHooks({
  resolve: (specifier, context, next) => {
    const format = chooseFormat(specifier)
    const file = format === undefined ? undefined : resolveFile(specifier, context.parentURL)
    return file === undefined ? next(specifier, context) : { url: file.href, format, shortCircuit: true }
  },
})
