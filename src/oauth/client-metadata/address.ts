import { httpsUri } from '../clients/https-uri.ts'

/** Where a Client ID Metadata Document stands. */
export type DocumentAddress = { readonly host: string; readonly port: number; readonly path: string }

/** Whether a client id means a document, and not a client that is stored here under a name of ours. */
export const isDocumentId = (clientId: string): boolean => clientId.startsWith('https://')

/** Reads a client id as the address of its document; undefined when it cannot be one (draft CIMD §3). */
export const documentAddress = (clientId: string): DocumentAddress | undefined => {
  const uri = httpsUri(clientId)
  if (uri === undefined || uri.query !== undefined) return undefined
  const { host, port, path } = uri
  // Below 1024 only HTTPS's own port: nobody publishes documents at the port of a mail server.
  return path === '' || path === '/' || (port !== 443 && port < 1024) ? undefined : { host, port, path }
}
