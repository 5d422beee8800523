import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'
import { fileRefusals } from '../uploads/index.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of lecturers, in every language; `{…}` is filled in. */
export const lecturersText = {
  title: say('Lecturers', 'Docentes'),
  about: say('Who teaches, with a public profile', 'Quem ensina, com um perfil público'),
  intro: say(
    'A lecturer has a public profile, and edits the courses to which it is added. Add a lecturer to a course in its details.',
    'Um docente tem um perfil público e edita os cursos a que for acrescentado. Acrescente-o a um curso nos dados desse curso.',
  ),
  own: say('This is what visitors read about you.', 'É isto que os visitantes leem sobre si.'),
  noProfile: say('You have no profile yet. Ask the staff for one.', 'Ainda não tem perfil. Peça-o à equipa.'),
  none: say('There are no lecturers yet.', 'Ainda não há docentes.'),
  add: say('Add a lecturer', 'Acrescentar um docente'),
  back: say('Back to the lecturers', 'Voltar aos docentes'),
  courses: say('courses: {n}', 'cursos: {n}'),
  hidden: say('hidden', 'oculto'),
  noAccount: say('without an account', 'sem conta'),
  name: say('Name', 'Nome'),
  email: say('E-mail address of the account (optional)', 'Endereço de e-mail da conta (opcional)'),
  emailHint: say(
    'With it the person signs in and edits their courses. Without it the profile is only shown.',
    'Com ele a pessoa inicia sessão e edita os seus cursos. Sem ele o perfil só é mostrado.',
  ),
  account: say('Account: {email}', 'Conta: {email}'),
  bio: say('About the lecturer (Markdown)', 'Sobre o docente (Markdown)'),
  links: say('Links, one per line: name, space, address', 'Ligações, uma por linha: nome, espaço, endereço'),
  linksHint: say('Such as: My bakery https://bakery.example', 'Como: A minha padaria https://padaria.example'),
  visibility: say('On the site', 'No sítio'),
  visibilities: {
    visible: say('Everybody sees the profile', 'Todos veem o perfil'),
    hidden: say('Only the staff and the person see it', 'Só a equipa e a pessoa o veem'),
  },
  slug: say('Address', 'Endereço'),
  slugHint: say(
    'The last part of the address, after /lecturers/.',
    'A última parte do endereço, a seguir a /lecturers/.',
  ),
  site: say('See on the site', 'Ver no sítio'),
  save: say('Save', 'Guardar'),
  picture: say('Picture', 'Imagem'),
  noPicture: say('There is no picture yet.', 'Ainda não há imagem.'),
  choosePicture: say('Choose a picture', 'Escolha uma imagem'),
  upload: say('Upload', 'Enviar'),
  removePicture: say('Remove the picture', 'Remover a imagem'),
  remove: say('Delete the profile', 'Apagar o perfil'),
  removeAbout: say(
    'The person keeps the account and no longer teaches any course.',
    'A pessoa mantém a conta e deixa de dar qualquer curso.',
  ),
  delete: say('Delete', 'Apagar'),
  done: {
    created: say(
      'The profile was created. Add it to courses in their details.',
      'O perfil foi criado. Acrescente-o a cursos nos dados deles.',
    ),
    saved: say('The profile was changed.', 'O perfil foi alterado.'),
    deleted: say('The profile was deleted.', 'O perfil foi apagado.'),
  },
  errors: {
    email: say(
      'Nobody has an account with this address. Invite the person first.',
      'Ninguém tem conta com este endereço. Convide primeiro a pessoa.',
    ),
    links: say(
      'Each line has a name, a space and an address that begins with https://.',
      'Cada linha tem um nome, um espaço e um endereço que começa por https://.',
    ),
    slug: say(
      'Use lower-case letters, digits and single hyphens.',
      'Use letras minúsculas, algarismos e hífenes simples.',
    ),
  },
} as const

/** The sentences for refusals on these pages. */
export const lecturerRefusals = {
  ...teachingText.refusals,
  ...fileRefusals,
  'invalid_body avatar_file_id': fileRefusals['invalid_body file_id'],
  slug_taken: say('Another lecturer has this address.', 'Outro docente tem este endereço.'),
  profile_exists: say('This account has a profile already.', 'Esta conta já tem um perfil.'),
  sole_lecturer: say(
    'This is the only lecturer of a published course. Add another one there first.',
    'É o único docente de um curso publicado. Acrescente lá primeiro outro.',
  ),
} as const
