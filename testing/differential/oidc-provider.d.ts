declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  /** The details of an interaction. */
  export type InteractionDetails = {
    readonly uid: string
    readonly prompt: { readonly name: string }
    readonly params: Readonly<Record<string, unknown>>
    readonly session?: { readonly accountId: string }
  }

  type Grant = {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export const errors: { readonly InvalidTarget: new () => Error; readonly InvalidGrant: new (why: string) => Error }

  export const interactionPolicy: {
    readonly Prompt: new (about: { name: string; requestable: boolean }) => object
    base(): object[] & { add(prompt: object, at?: number): void }
  }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly Client: { find(id: string): Promise<object | undefined> }
    readonly AuthorizationCode: new (
      of: object,
    ) => { save(): Promise<string> }
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
    callback(): RequestListener
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>
  }
}
