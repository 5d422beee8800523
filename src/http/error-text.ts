import type { Phrase } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Refusal } from '#src/contract/problem.ts'

const cannotContinue: Phrase = { en: 'This request cannot continue', pt: 'Este pedido não pode continuar' }

// The titles of refusals on pages; the titles in English are those of the problems.
const portuguese: Readonly<Record<string, string>> = {
  invalid_request: 'O pedido não pode ser lido',
  form_refused: 'O formulário não foi enviado desta página',
  sign_in_required: 'É preciso iniciar sessão',
  role_required: 'A função não o permite',
  not_found: 'Não há nada aqui',
  method_not_allowed: 'O método não é permitido aqui',
  request_timeout: 'O pedido chegou demasiado devagar',
  conflict: 'O estado atual não o permite',
  too_many_confirmations: 'Há demasiadas confirmações pendentes',
  payload_too_large: 'O conteúdo é demasiado grande',
  unsupported_media_type: 'O tipo de conteúdo não é suportado',
  rate_limited: 'Demasiados pedidos',
  headers_too_large: 'Os cabeçalhos são demasiado grandes',
  internal_error: 'Algo correu mal do nosso lado',
  unknown_method: 'O método não é conhecido',
  unavailable: 'O servidor não pode responder agora',
  outcome_unknown: 'Não se sabe se a alteração foi feita',
}

/** The title of the page of a refusal, in every language. */
export const titleOf = (error: Refusal | OAuthError): Phrase => {
  if (error instanceof OAuthError) return cannotContinue
  const { code, title } = error.problem
  return { en: title, pt: portuguese[code] ?? cannotContinue.pt }
}
