import { fold } from '#src/kit/text.ts'

const YES = 'yes y true t 1 x on si sim s ja j oui o vrai verdadeiro verdadero wahr ✓ ✔ ☑'
const NO = 'no n false f 0 off nao nein non faux falso falsch ✗ ✘ ☐'

// What says by itself whether a person wants news, whatever the heading.
const SUBSCRIBED =
  'subscribed|subscriber|opted in|opt in|optin|granted|accepted|inscrito|inscrita|subscrito|subscrita|suscrito|suscrita|' +
  'abonniert|angemeldet|abonne|abonnee|inscrit|inscrite'
const UNSUBSCRIBED =
  'unsubscribed|unconfirmed|pending|none|opted out|opt out|optout|not subscribed|nonsubscribed|non subscribed|never subscribed|bounced|cleaned|' +
  'complained|denied|declined|refused|nao inscrito|cancelado|baja|dado de baja|abgemeldet|desabonne|desinscrit'

const ACTIVE =
  'active|activated|enabled|invited|pending|confirmed|verified|registered|customer|member|student|' +
  'ativo|ativa|convidado|convidada|pendente|activo|activa|invitado|invitada|pendiente|aktiv|eingeladen|ausstehend|' +
  'actif|active|invite|invitee|en attente'
const INACTIVE =
  'inactive|deactivated|disabled|suspended|blocked|banned|deleted|removed|tobedeleted|archived|inativo|inativa|suspenso|' +
  'suspensa|bloqueado|bloqueada|eliminado|eliminada|removido|removida|inactivo|inactiva|suspendido|suspendida|borrado|' +
  'inaktiv|deaktiviert|gesperrt|geloscht|inactif|desactive|desactivee|suspendu|suspendue|supprime|supprimee'

const COMPLETED =
  'completed|complete|finished|done|passed|graduated|certified|concluido|concluida|completo|completa|terminado|terminada|' +
  'finalizado|finalizada|aprovado|aprovada|completado|completada|aprobado|aprobada|abgeschlossen|beendet|fertig|bestanden|' +
  'termine|terminee|acheve|achevee|valide|validee|reussi'
const UNDERWAY =
  'active|enrolled|in progress|inprogress|started|not started|incomplete|open|held|upcoming|trial|free trial|paid|free|' +
  'ativo|ativa|inscrito|inscrita|matriculado|matriculada|em curso|em andamento|em progresso|nao iniciado|por iniciar|' +
  'activo|activa|en curso|en progreso|iniciado|sin empezar|no iniciado|aktiv|eingeschrieben|laufend|in bearbeitung|' +
  'begonnen|nicht begonnen|offen|actif|inscrit|inscrite|en cours|commence|non commence|pas commence'
const OVER =
  'expired|ended|none|disabled|cancelled|canceled|refunded|revoked|dropped|withdrawn|inactive|suspended|deleted|removed|tobedeleted|' +
  'expirado|expirada|cancelado|cancelada|reembolsado|reembolsada|inativo|inativa|suspenso|caducado|vencido|inactivo|' +
  'abgelaufen|storniert|gekundigt|erstattet|inaktiv|abgebrochen|expire|expiree|annule|annulee|rembourse|inactif|abandonne'

const splitWords = (words: string, separator: string): ReadonlySet<string> => new Set(words.split(separator))

const YES_WORDS = splitWords(YES, ' ')
const NO_WORDS = splitWords(NO, ' ')

const plain = (text: string): string =>
  fold(text)
    .replace(/[-_\s]+/g, ' ')
    .replace(/[.!]+$/, '')
    .trim()

const listReadings = (words: string, isTrue: boolean): readonly (readonly [string, boolean])[] =>
  words.split('|').map(word => [word, isTrue])

const CONSENTS: ReadonlyMap<string, boolean> = new Map([
  ...listReadings(SUBSCRIBED, true),
  ...listReadings(UNSUBSCRIBED, false),
])
const [ACTIVES, INACTIVES] = [splitWords(ACTIVE, '|'), splitWords(INACTIVE, '|')]
const [ENDS, RUNNING, OVERS] = [splitWords(COMPLETED, '|'), splitWords(UNDERWAY, '|'), splitWords(OVER, '|')]

/** Reads a cell as yes or no in English, Portuguese, Spanish, German or French; undefined where it is neither. */
export const readBoolean = (text: string): boolean | undefined => {
  const word = plain(text)
  if (YES_WORDS.has(word)) return true
  return NO_WORDS.has(word) ? false : undefined
}

/** Reads a cell that says by itself whether a person wants news; undefined where it does not. */
export const readSubscription = (text: string): boolean | undefined => CONSENTS.get(plain(text))

/** What a status says: whoever or whatever it is about goes on, has reached its end, or must not be taken over. */
export type Status = 'underway' | 'completed' | 'over'

/** Reads a cell as the status of a person; undefined where it is none. */
export const readPersonStatus = (text: string): Status | undefined => {
  const word = plain(text)
  if (INACTIVES.has(word) || NO_WORDS.has(word)) return 'over'
  return ACTIVES.has(word) || YES_WORDS.has(word) ? 'underway' : undefined
}

/** Reads a cell as the status of an enrollment, of which a yes says that it is completed or active; undefined where it is none. */
export const readLearningStatus = (text: string, format: string): Status | undefined => {
  const word = plain(text)
  if (ENDS.has(word)) return 'completed'
  if (RUNNING.has(word)) return 'underway'
  if (OVERS.has(word)) return 'over'
  if (YES_WORDS.has(word)) return format === 'active' ? 'underway' : 'completed'
  return NO_WORDS.has(word) ? (format === 'active' ? 'over' : 'underway') : undefined
}
