declare module 'pngjs' {
  export const PNG: {
    readonly sync: {
      read(png: Buffer): { readonly data: Buffer; readonly width: number; readonly height: number }
    }
  }
}
