import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A self-signed certificate with its key, both in PEM. */
type Certificate = { readonly key: string; readonly cert: string }

/** Makes a certificate for these host names with openssl, valid for one day. */
export const makeCertificate = async (hosts: readonly string[]): Promise<Certificate> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = hosts.map(host => `DNS:${host}`).join(',')
  try {
    await run('openssl', [
      'req',
      '-x509',
      '-nodes',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-days',
      '1',
      '-subj',
      '/CN=stoa test',
      '-addext',
      `subjectAltName=${names}`,
      '-keyout',
      key,
      '-out',
      cert,
    ])
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
