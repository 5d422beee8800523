/** A bucket and how to reach it; without credentials the environment's are used. */
export type S3Place = {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** Where files lie: a folder, or a bucket. */
export type StorePlace = { readonly folder: string } | { readonly s3: S3Place }
