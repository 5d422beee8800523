declare module 'autocannon' {
  type Request = {
    readonly method?: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly setupRequest?: (request: Request) => Request
  }
  type Options = {
    readonly url: string
    readonly connections: number
    readonly duration: number
    readonly requests: readonly Request[]
    readonly workers?: number
  }
  type Result = {
    readonly requests: { readonly total: number }
    readonly latency: { readonly p50: number; readonly p99: number }
    readonly duration: number
    readonly errors: number
    readonly '2xx': number
    readonly '3xx': number
    readonly non2xx: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
