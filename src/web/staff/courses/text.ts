import type { Phrase } from '#src/contract/language.ts'
import { fileRefusals } from '../uploads/index.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts that several pages of courses have, in every language; `{…}` is filled in. */
export const coursesText = {
  title: say('Courses', 'Cursos'),
  about: say('Create courses, write lessons and publish them', 'Criar cursos, escrever aulas e publicá-las'),
  create: say('Create a course', 'Criar um curso'),
  statuses: {
    draft: say('Draft', 'Rascunho'),
    scheduled: say('Scheduled', 'Agendado'),
    published: say('Published', 'Publicado'),
    archived: say('Archived', 'Arquivado'),
  },
  comments: say('Comments', 'Comentários'),
  commentModes: {
    open: say('members may comment', 'os membros podem comentar'),
    closed: say('shown, and none is accepted', 'mostrados, sem aceitar novos'),
    off: say('not shown', 'não mostrados'),
  },
  lessonStatuses: { draft: say('Draft', 'Rascunho'), published: say('Published', 'Publicada') },
  types: {
    video: say('Video', 'Vídeo'),
    audio: say('Audio', 'Áudio'),
    text: say('Text', 'Texto'),
    download: say('Download', 'Ficheiro'),
    embed: say('Video or audio from another site', 'Vídeo ou áudio de outro sítio'),
    quiz: say('Quiz', 'Questionário'),
    assignment: say('Assignment', 'Trabalho'),
    live: say('Live meeting', 'Sessão em direto'),
  },
  tabs: {
    outline: say('Outline', 'Conteúdo'),
    details: say('Details', 'Dados'),
    prices: say('Prices', 'Preços'),
    publication: say('Publication', 'Publicação'),
  },
  parts: say('Parts of this course', 'Partes deste curso'),
  path: say('You are here', 'Está aqui'),
  asVisitor: say('See as a visitor', 'Ver como visitante'),
  asStudent: say('See as a student', 'Ver como estudante'),
  save: say('Save', 'Guardar'),
  remove: say('Remove', 'Remover'),
  up: say('Move up', 'Mover para cima'),
  down: say('Move down', 'Mover para baixo'),
  done: {
    created: say(
      'The course was created as a draft. Only you and the staff see it. Add its first section.',
      'O curso foi criado como rascunho. Só o vê quem o gere. Acrescente a primeira secção.',
    ),
    copied: say('This is the copy, as a draft.', 'Esta é a cópia, como rascunho.'),
    saved: say('Saved.', 'Guardado.'),
    moved: say('Moved.', 'Movido.'),
    removed: say('Removed.', 'Removido.'),
    restored: say('Restored.', 'Recuperado.'),
    section: say(
      'The section was added. Now add a lesson to it.',
      'A secção foi acrescentada. Acrescente-lhe uma aula.',
    ),
    lesson: say(
      'The lesson was added as a draft. Now write it.',
      'A aula foi acrescentada como rascunho. Agora escreva-a.',
    ),
    shown: say(
      'Learners see the lesson once the course is published.',
      'Os alunos veem a aula quando o curso estiver publicado.',
    ),
    hidden: say('The lesson is a draft again.', 'A aula voltou a ser um rascunho.'),
    uploaded: say('The file was uploaded.', 'O ficheiro foi enviado.'),
    published: say('The course is published.', 'O curso está publicado.'),
    scheduled: say('The course will be published then.', 'O curso será publicado nesse momento.'),
    unpublished: say('The course is a draft again.', 'O curso voltou a ser um rascunho.'),
    archived: say('The course is archived.', 'O curso está arquivado.'),
    lessons: say('All lessons are published.', 'Todas as aulas estão publicadas.'),
    deleted: say('The course was deleted.', 'O curso foi eliminado.'),
    price: say('The price was added.', 'O preço foi acrescentado.'),
    retired: say('The price is no longer sold.', 'O preço deixou de ser vendido.'),
    question: say('The question was saved. Here is the next one.', 'A pergunta foi guardada. Aqui está a seguinte.'),
  },
} as const

const changed = say(
  'Somebody has changed this since you opened the page, so nothing was done. Check it and try again.',
  'Alguém alterou isto desde que abriu a página, por isso nada foi feito. Verifique e tente de novo.',
)

/** The sentences for refusals on the pages of courses. */
export const courseRefusals = {
  ...fileRefusals,
  precondition_failed: changed,
  invalid_body: say('A value is not allowed, so nothing was changed.', 'Um valor não é permitido; nada foi alterado.'),
  invalid_state: say(
    'The status of the course has changed and does not allow this.',
    'O estado do curso mudou e não o permite.',
  ),
  'invalid_body name': say(
    'Please enter a name, in at most 200 characters.',
    'Escreva um nome, no máximo com 200 caracteres.',
  ),
  slug_taken: say('Another course has this address.', 'Outro curso tem este endereço.'),
  course_external_id_taken: say('Another course has this external id.', 'Outro curso tem este identificador externo.'),
  profile_required: say(
    'You have no profile as a lecturer yet, so you cannot create courses. Ask the staff of the school for one.',
    'Ainda não tem um perfil de docente, por isso não pode criar cursos. Peça-o à equipa da escola.',
  ),
  sole_lecturer: say(
    'This is the only lecturer of a published course. Add another one first.',
    'Este é o único docente de um curso publicado. Acrescente primeiro outro.',
  ),
  course_in_use: say(
    'The course was not deleted: members may still use it, or something refers to it. Archive it instead.',
    'O curso não foi eliminado: há membros que ainda o podem usar ou algo que o refere. Arquive-o.',
  ),
  outline_full: say(
    'A course has at most 200 sections and 1,000 lessons.',
    'Um curso tem no máximo 200 secções e 1000 aulas.',
  ),
  section_archived: say('The section was removed meanwhile.', 'A secção foi entretanto removida.'),
  lesson_archived: say('The lesson was removed meanwhile.', 'A aula foi entretanto removida.'),
  too_many_attachments: say('A lesson has at most 50 files.', 'Uma aula tem no máximo 50 ficheiros.'),
  too_many_prices: say('The course has too many prices.', 'O curso tem demasiados preços.'),
  too_many_questions: say('A quiz has at most 200 questions.', 'Um questionário tem no máximo 200 perguntas.'),
  idempotency_key_reused: say(
    'This form was sent before with other values. Check what is there before you send it again.',
    'Este formulário já foi enviado com outros valores. Verifique antes de enviar de novo.',
  ),
} as const
