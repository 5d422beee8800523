/** An object in a listing. */
export type StoredObject = { readonly key: string; readonly size: number; readonly modifiedAt: Date }

/** The offsets of the first and the last byte of a range. */
export type ByteRange = { readonly start: number; readonly end: number }

/** Signed addresses with which clients write and read objects at the store itself; only some stores have them. */
type DirectAccess = {
  signPut(key: string, size: number, seconds: number): Promise<string>
  signGet(
    key: string,
    as: { readonly contentType: string; readonly disposition: string },
    seconds: number,
  ): Promise<string>
}

/** The storage of the bytes of files. Keys are segments of `a-z 0-9 . - _`, joined by slashes. */
export type Store = {
  readonly kind: 'folder' | 's3'
  /** Writes an object completely or not at all, and returns its size; `size` is the expected one. */
  put(key: string, body: AsyncIterable<Uint8Array>, size: number): Promise<number>
  /** Joins objects into a new one; the parts remain. */
  join(parts: readonly string[], key: string): Promise<void>
  find(key: string): Promise<{ readonly size: number } | undefined>
  /** Reads an object or a range of it; throws during reading when there is no such object. */
  read(key: string, range?: ByteRange): AsyncIterable<Uint8Array>
  /** Removes an object if it exists. */
  remove(key: string): Promise<void>
  /** Lists the objects whose keys begin with a prefix that ends in a slash, in the order of the keys, starting after `after`. */
  list(prefix: string, after?: string): AsyncIterable<StoredObject>
  /** Undefined for stores that clients cannot access directly. */
  readonly direct: DirectAccess | undefined
}

/** The size of an image after its orientation was applied. */
export type ImageSize = { readonly width: number; readonly height: number }

/** What is known of an image: its size, whether it moves, and whether it has EXIF, XMP or IPTC. */
export type ImageFacts = ImageSize & { readonly isAnimated: boolean; readonly hasMetadata: boolean }

/** Why an image could not be measured. */
type ImageError = 'unreadable_image' | 'too_many_pixels'

/** What an icon shows: a picture, or letters in a font that has them. */
export type IconContent =
  | { readonly image: Uint8Array }
  | { readonly letters: string; readonly color: string; readonly fontFile: string }

/** The square of an icon: its edge in pixels, and the share of it that its content may take, in both directions. */
export type IconShape = {
  readonly edge: number
  readonly share: number
  /** A color such as `#8a3b12`; unset: transparent. */
  readonly background?: string | undefined
}

/** Detects media types, and measures and converts images. */
export type Media = {
  /** The media type of a file by its first bytes, without parameters; undefined for unknown types. */
  sniff(head: Uint8Array): Promise<string | undefined>
  measure(image: Buffer): Promise<ImageFacts | ImageError>
  /**
   * The same image without EXIF, XMP and IPTC, upright, with its color profile and its animation; undefined where that
   * takes too much memory or time.
   */
  withoutMetadata(image: Buffer): Promise<Uint8Array | undefined>
  /** Converts an image to WebP, at most so wide; one that moves goes on to move, where it is not too large. */
  shrink(image: Uint8Array, width: number): Promise<Uint8Array>
  /** Converts an image to PNG, at most so wide, for uses that support no WebP. */
  toPng(image: Uint8Array, width: number): Promise<Uint8Array>
  /** Draws an icon as PNG; without content it is its background alone. Throws where the picture cannot be read. */
  drawIcon(content: IconContent | undefined, shape: IconShape): Promise<Buffer>
}

/** The storage of the installation's files, and the conversion of images. */
export type Files = { readonly store: Store; readonly media: Media }
