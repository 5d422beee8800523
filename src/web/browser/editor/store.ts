import type { Store } from './pictures.ts'

type Place = { readonly action: string; readonly purpose: string }

/** Stores pictures by the page for them, with the token of a form; throws the sentence of a refusal. */
export const createStore =
  (form: HTMLFormElement, { action, purpose }: Place): Store =>
  async file => {
    const sent = new FormData()
    sent.append('token', form.querySelector<HTMLInputElement>('input[name=token]')?.value ?? '')
    sent.append('purpose', purpose)
    sent.append('file', file, file.name)
    const reply = await fetch(action, { method: 'POST', body: sent, redirect: 'error' }).catch(() => undefined)
    const answer = await reply?.json().catch(() => undefined)
    if (reply?.ok !== true || answer?.id === undefined) throw new Error(answer?.reason ?? '')
    return answer
  }
