import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { Refusal } from '#src/contract/problem.ts'
import { unavailable } from '#src/contract/problems.ts'
import type { ByteRange, Store, StoredObject } from '#src/contract/store.ts'
import type { S3Location } from './location.ts'

const createClient = ({ endpoint, region, credentials }: S3Location): S3Client =>
  new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    ...(credentials === undefined ? {} : { credentials }),
    // Some stores corrupt objects with trailing checksums; we compute the hash of a complete upload ourselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    logger: silent,
  })

// The client would write to the console otherwise.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const readStatus = (error: Error): number =>
  '$metadata' in error ? Number((error.$metadata as { httpStatusCode?: number }).httpStatusCode ?? 0) : 0

// The store is slow, overloaded or unreachable.
const isOutage = (error: Error): boolean =>
  readStatus(error) >= 500 ||
  readStatus(error) === 429 ||
  /^(?:TimeoutError|SlowDown)$/.test(error.name) ||
  /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/.test('code' in error ? String(error.code) : '')

const refusing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && isOutage(error))
      throw new Refusal(unavailable, 'The object store cannot be reached.', { headers: { 'retry-after': '5' } })
    throw error
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name)

const getBody = (body: unknown): Readable => {
  if (body instanceof Readable) return body
  throw new Error('the object store returned no body')
}

// Some stores send more than the range; a response must not have more bytes than it announces.
async function* atMost(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let left = most
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

async function* read(client: S3Client, Bucket: string, Key: string, stretch?: ByteRange): AsyncGenerator<Uint8Array> {
  const Range = stretch === undefined ? {} : { Range: `bytes=${stretch.start}-${stretch.end}` }
  const body = getBody((await refusing(() => client.send(new GetObjectCommand({ Bucket, Key, ...Range })))).Body)
  yield* stretch === undefined ? body : atMost(body, stretch.end - stretch.start + 1)
}

const put = async (
  client: S3Client,
  input: { readonly Bucket: string; readonly Key: string; readonly ContentLength: number },
  body: AsyncIterable<Uint8Array>,
): Promise<number> => {
  const end = new AbortController()
  const so = { size: 0 }
  async function* counted() {
    try {
      for await (const chunk of body) {
        so.size += chunk.length
        yield chunk
      }
    } catch (error) {
      // Otherwise the request would wait for the rest of the body.
      end.abort(error)
      throw error
    }
    if (so.size < input.ContentLength) end.abort(new Error('the body ended early'))
  }
  const Body = Readable.from(counted(), { objectMode: false })
  Body.on('error', () => undefined)
  try {
    await client.send(new PutObjectCommand({ ...input, Body }), { abortSignal: end.signal })
  } catch (error) {
    throw end.signal.aborted ? end.signal.reason : error
  }
  return so.size
}

async function* list(client: S3Client, bucket: string, prefix: string, after: string): AsyncGenerator<StoredObject> {
  let token: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        ...(token === undefined ? {} : { ContinuationToken: token }),
        ...(token !== undefined || after === '' ? {} : { StartAfter: after }),
      }),
    )
    for (const { Key, Size, LastModified } of page.Contents ?? [])
      if (Key !== undefined && LastModified !== undefined) yield { key: Key, size: Size ?? 0, modifiedAt: LastModified }
    token = page.NextContinuationToken
  } while (token !== undefined)
}

/** A store in a bucket of an S3-compatible object store. */
export const openS3 = (place: S3Location): Store => {
  const client = createClient(place)
  const { bucket: Bucket } = place
  return {
    kind: 's3',
    put: (Key, body, size) => refusing(() => put(client, { Bucket, Key, ContentLength: size }, body)),
    join: async ([part, ...others], Key) => {
      if (part === undefined || others.length > 0) throw new Error('an object store keeps an upload as one object')
      await refusing(() => client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `/${Bucket}/${part}` })))
    },
    find: async Key => {
      try {
        const { ContentLength = 0 } = await refusing(() => client.send(new HeadObjectCommand({ Bucket, Key })))
        return { size: ContentLength }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    read: (key, stretch) => read(client, Bucket, key, stretch),
    remove: async Key => void (await refusing(() => client.send(new DeleteObjectCommand({ Bucket, Key })))),
    list: (prefix, after = '') => list(client, Bucket, prefix, after),
    direct: {
      signPut: (Key, size, expiresIn) =>
        getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ContentLength: size }), {
          expiresIn,
          unhoistableHeaders: new Set(['content-length']),
          signableHeaders: new Set(['content-length', 'host']),
        }),
      signGet: (Key, { contentType, disposition }, expiresIn) =>
        getSignedUrl(
          client,
          new GetObjectCommand({
            Bucket,
            Key,
            ResponseContentType: contentType,
            ResponseContentDisposition: disposition,
          }),
          { expiresIn },
        ),
    },
  }
}
