/** A bucket and how to reach it; without credentials the environment's are used. */
export type S3Location = {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** Where files are stored: a folder, or a bucket. */
export type StoreLocation = { readonly folder: string } | { readonly s3: S3Location }
