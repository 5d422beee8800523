import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Location } from '#src/store/index.ts'

/** A server on this machine that implements S3. */
export type ObjectStore = { readonly place: S3Location; stop(): Promise<void> }

/** Starts an object store with one bucket. */
export const startObjectStore = async (): Promise<ObjectStore> => {
  const directory = await mkdtemp(join(tmpdir(), 'stoa-s3-'))
  const bucket = 'stoa-test'
  const options = { address: '127.0.0.1', port: 0, silent: true, directory }
  const server = new S3rver({ ...options, configureBuckets: [{ name: bucket }] })
  const { port } = await server.run()
  const place = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket,
    // The credentials that s3rver accepts.
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  }
  return {
    place,
    stop: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
