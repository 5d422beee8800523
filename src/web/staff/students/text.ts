import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts that several pages of students have, in every language; `{…}` is filled in. */
export const studentsText = {
  title: say('Students', 'Alunos'),
  about: say(
    'Enroll people, see their progress, end or extend access',
    'Inscrever, ver o progresso, terminar ou prolongar o acesso',
  ),
  back: say('Back to the students', 'Voltar aos alunos'),
  enroll: say('Enroll somebody', 'Inscrever alguém'),
  states: {
    active: say('has access', 'tem acesso'),
    held: say('on hold', 'suspenso'),
    upcoming: say('not yet', 'ainda não'),
    ended: say('ended', 'terminado'),
    none: say('no access', 'sem acesso'),
    unpublished: say('course not published', 'curso não publicado'),
  },
  sources: {
    order_line: say('bought', 'comprado'),
    subscription: say('by subscription', 'por assinatura'),
    gift: say('gift', 'oferta'),
    staff: say('given by the school', 'dado pela escola'),
    group: say('through a group', 'por um grupo'),
    import: say('imported', 'importado'),
    free: say('free', 'gratuito'),
  },
  percent: say('{n} % completed', '{n} % concluído'),
  completed: say('completed', 'concluído'),
  until: say('until {day}', 'até {day}'),
  enrolled: say('enrolled on {day}', 'inscrição em {day}'),
} as const

/** The sentences for refusals on these pages. */
export const studentRefusals = {
  ...teachingText.refusals,
  already_enrolled: say(
    'Nothing was changed: this person already has this access.',
    'Nada foi alterado: esta pessoa já tem este acesso.',
  ),
  entitlement_ended: say(
    'This access has ended already. Give access again instead.',
    'Este acesso já terminou. Dê acesso de novo.',
  ),
  not_granted_by_staff: say(
    'This access was bought or comes with a group, so it is changed there.',
    'Este acesso foi comprado ou vem de um grupo, por isso altera-se aí.',
  ),
  email_taken: say(
    'This address belongs to a member already. Try again.',
    'Este endereço já pertence a um membro. Tente de novo.',
  ),
  invalid_state: say(
    'This is not possible: the member was removed, or something has changed since.',
    'Isto não é possível: o membro foi removido, ou algo mudou entretanto.',
  ),
  'invalid_body email': say('This is not an e-mail address.', 'Isto não é um endereço de e-mail.'),
  'invalid_body name': say(
    'Please enter the name of the person, in at most 120 characters: there is no account with this address.',
    'Escreva o nome da pessoa, no máximo com 120 caracteres: não há conta com este endereço.',
  ),
  'invalid_body course_ids': say('Choose a course that you may enroll in.', 'Escolha um curso em que pode inscrever.'),
  'invalid_body course_id': say('Choose a course that you may enroll in.', 'Escolha um curso em que pode inscrever.'),
  'invalid_body member_id': say('This is not a member you may enroll.', 'Não pode inscrever este membro.'),
  'invalid_body ends_at': say(
    'The last day must be a day that is not over.',
    'O último dia tem de ser um dia que ainda não passou.',
  ),
  'invalid_body until': say(
    'The last day must be a day that is not over.',
    'O último dia tem de ser um dia que ainda não passou.',
  ),
  'invalid_body entitlement_id': say('Choose which access to change.', 'Escolha que acesso alterar.'),
  'invalid_body note': say('A note has at most 500 characters.', 'Uma nota tem no máximo 500 caracteres.'),
  certificate_exists: say('There is a valid certificate already.', 'Já há um certificado válido.'),
  no_certificate_template: say(
    'The course has no certificate. Choose a template for the course first.',
    'O curso não tem certificado. Escolha primeiro um modelo para o curso.',
  ),
} as const
