import type { Phrase } from '#src/contract/language.ts'
import type { Status } from '../certificates/rules.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The status of a certificate, in words. */
export const statusText: Readonly<Record<Status, Phrase>> = {
  valid: say('This certificate is valid.', 'Este certificado é válido.'),
  revoked: say(
    'This certificate was revoked by the school. It is no longer valid.',
    'Este certificado foi revogado pela escola. Já não é válido.',
  ),
  replaced: say(
    'This certificate was replaced by another one. It is no longer valid; ask the person for the new one.',
    'Este certificado foi substituído por outro. Já não é válido; peça o novo à pessoa.',
  ),
  withdrawn: say(
    'This certificate was withdrawn together with the account of the person. Their name is no longer stored.',
    'Este certificado foi retirado juntamente com a conta da pessoa. O nome já não é guardado.',
  ),
}

/** The other texts of the page and the PDF of a certificate. */
export const words = {
  heading: say('Certificate of {school}', 'Certificado de {school}'),
  name: say('Name', 'Nome'),
  course: say('Course', 'Curso'),
  school: say('School', 'Escola'),
  awarded: say('Awarded on', 'Atribuído em'),
  issued: say('Issued on', 'Emitido em'),
  revoked: say('Revoked on', 'Revogado em'),
  serial: say('Serial', 'Número de série'),
  says: say('What it says', 'O que diz'),
  pdf: say('The certificate as a PDF', 'O certificado em PDF'),
  credential: say('The certificate as an Open Badge 3.0', 'O certificado como Open Badge 3.0'),
  genuine: say(
    'This page is on the web site of the school: {url}. It shows what the school has stored.',
    'Esta página está no sítio Web da escola: {url}. Mostra o que a escola guardou.',
  ),
  verify: say('Genuine? See {url}', 'Verdadeiro? Veja {url}'),
} as const
