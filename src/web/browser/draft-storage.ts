import type { Content } from './form-values.ts'

const PREFIX = 'stoa:draft:'
const MONTH_MS = 30 * 24 * 3600 * 1000

/** A draft: when it was typed and what; `before` is what was typed before somebody took what another person had stored. */
export type Draft = Content & { readonly at: number; readonly before?: Draft | undefined }

// Only the time can be read without the key of the person, so that old drafts go whoever is signed in.
type Stored = { readonly at: number; readonly iv: string; readonly sealed: string }

// A large text has more bytes than a call has arguments.
const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), one => one.charCodeAt(0))

const readStored = (name: string): Stored | undefined => {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '') as Stored
  } catch {
    return undefined
  }
}

const dropOld = (): void => {
  for (const name of Object.keys(localStorage).filter(one => one.startsWith(PREFIX)))
    if (!((readStored(name)?.at ?? 0) > Date.now() - MONTH_MS)) localStorage.removeItem(name)
}

/** Where the drafts of one person are kept in this browser, sealed with a key that the server gives to nobody else. */
export type DraftStorage = {
  nameFor(path: string, form: string): string
  find(name: string): Promise<Draft | undefined>
  /** Rejects where the storage is full. */
  keep(name: string, draft: Draft): Promise<void>
  drop(name: string): void
}

/** Opens the drafts of the person with a key of 32 bytes in Base64; deletes everybody's that are older than 30 days. */
export const openDrafts = async (base64: string): Promise<DraftStorage> => {
  const bytes = fromBase64(base64)
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  const person = toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))).slice(0, 16)
  const terms = (iv: Uint8Array<ArrayBuffer>, name: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(name),
  })
  dropOld()
  return {
    nameFor: (path, form) => `${PREFIX}${person}:${path}:${form}`,
    async find(name) {
      const stored = readStored(name)
      if (stored === undefined) return undefined
      try {
        const iv = fromBase64(stored.iv)
        const plain = await crypto.subtle.decrypt(terms(iv, name), key, fromBase64(stored.sealed))
        return JSON.parse(new TextDecoder().decode(plain)) as Draft
      } catch {
        return undefined
      }
    },
    async keep(name, draft) {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const plain = new TextEncoder().encode(JSON.stringify(draft))
      const sealed = new Uint8Array(await crypto.subtle.encrypt(terms(iv, name), key, plain))
      localStorage.setItem(name, JSON.stringify({ at: draft.at, iv: toBase64(iv), sealed: toBase64(sealed) }))
    },
    drop: name => localStorage.removeItem(name),
  }
}
