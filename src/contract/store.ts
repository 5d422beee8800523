/** An object as a listing shows it. */
export type StoredObject = { readonly key: string; readonly size: number; readonly modifiedAt: Date }

/** The first and the last byte of a stretch of an object. */
export type ByteRange = { readonly start: number; readonly end: number }

/** Addresses of the object store at which others put and fetch objects without us; only some stores have them. */
export type DirectAccess = {
  signPut(key: string, size: number, seconds: number): Promise<string>
  signGet(
    key: string,
    as: { readonly contentType: string; readonly disposition: string },
    seconds: number,
  ): Promise<string>
}

/** Where the bytes of files lie. Keys are segments of `a-z 0-9 . - _` joined by slashes. */
export type Store = {
  readonly kind: 'folder' | 's3'
  /** Writes an object whole or not at all, and gives its size; `size` is what will come. */
  put(key: string, body: AsyncIterable<Uint8Array>, size: number): Promise<number>
  /** Makes one object of others, which stay. */
  join(parts: readonly string[], key: string): Promise<void>
  find(key: string): Promise<{ readonly size: number } | undefined>
  /** The bytes of an object, or of a stretch of it; throws while it is read when there is no object. */
  read(key: string, stretch?: ByteRange): AsyncIterable<Uint8Array>
  /** Removes an object; one that is not there is no error. */
  remove(key: string): Promise<void>
  /** The objects whose keys begin with a prefix that ends in a slash, in the order of keys, behind `after`. */
  list(prefix: string, after?: string): AsyncIterable<StoredObject>
  /** Only stores that take and give objects without us have it. */
  readonly direct: DirectAccess | undefined
}

/** An image as it was measured, upright. */
export type ImageSize = { readonly width: number; readonly height: number }

/** Why an image was not measured. */
export type ImageFault = 'unreadable_image' | 'too_many_pixels'

/** What can be told of bytes and done with images. */
export type Media = {
  /** The media type that the first bytes of a file show; undefined for text and what is unknown. */
  sniff(head: Uint8Array): Promise<string | undefined>
  measure(image: Uint8Array): Promise<ImageSize | ImageFault>
  /** The image as WebP, at most so wide. */
  shrink(image: Uint8Array, width: number): Promise<Uint8Array>
  /** The image as PNG, at most so wide, for what can take no other. */
  toPng(image: Uint8Array, width: number): Promise<Uint8Array>
}

/** The bytes of the installation's files, and what is made of them. */
export type Files = { readonly store: Store; readonly media: Media }
