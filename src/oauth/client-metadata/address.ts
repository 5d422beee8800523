import { httpsUri } from '../clients/https-uri.ts'

/** The address of a Client ID Metadata Document. */
export type DocumentAddress = { readonly host: string; readonly port: number; readonly path: string }

/** Whether a client id is the address of a metadata document, and not an id that we assigned. */
export const isDocumentId = (clientId: string): boolean => clientId.startsWith('https://')

/** Reads a client id as the address of its document; undefined when it cannot be one (draft CIMD §3). */
export const documentAddress = (clientId: string): DocumentAddress | undefined => {
  const uri = httpsUri(clientId)
  if (uri === undefined || uri.query !== undefined) return undefined
  const { host, port, path } = uri
  // Below 1024 only the port of HTTPS: nobody publishes documents at the port of a mail server.
  return path === '' || path === '/' || (port !== 443 && port < 1024) ? undefined : { host, port, path }
}
