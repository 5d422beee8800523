import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts that several pages of teaching have, in every language; `{…}` is filled in. */
export const teachingText = {
  title: say('Teaching', 'Ensino'),
  overview: say('Overview', 'Visão geral'),
  about: say('Your courses, your students and the work that waits', 'Os seus cursos, os seus alunos e o que espera'),
  notTeaching: {
    title: say('For lecturers and staff', 'Para docentes e para a equipa'),
    text: say(
      'These pages are for the lecturers of a course, and for owners and admins. If you teach here, ask an owner of the school to add you to your course.',
      'Estas páginas são para os docentes de um curso, e para proprietários e administradores. Se ensina aqui, peça a um proprietário da escola que o junte ao seu curso.',
    ),
  },
  back: say('Back to teaching', 'Voltar ao ensino'),
  course: say('Course', 'Curso'),
  anyCourse: say('All courses', 'Todos os cursos'),
  show: say('Show', 'Mostrar'),
  find: say('Find', 'Procurar'),
  next: say('Next page', 'Página seguinte'),
  first: say('Back to the first page', 'Voltar à primeira página'),
  csv: say('Download this list as CSV', 'Descarregar esta lista em CSV'),
  noName: say('(removed member)', '(membro removido)'),
  noLesson: say('A lesson that was removed', 'Uma aula que foi retirada'),
  noCourse: say('A course that was removed', 'Um curso que foi retirado'),
  statuses: {
    draft: say('draft', 'rascunho'),
    scheduled: say('scheduled', 'agendado'),
    published: say('published', 'publicado'),
    archived: say('archived', 'arquivado'),
  },
  refusals: {
    precondition_failed: say(
      'Somebody has changed this since you opened the page, so nothing was done. Check it again.',
      'Alguém alterou isto desde que abriu a página, por isso nada foi feito. Verifique de novo.',
    ),
    idempotency_key_reused: say(
      'This form was sent before with other values. Check the list before you send it again.',
      'Este formulário já foi enviado com outros valores. Verifique a lista antes de enviar de novo.',
    ),
    role_required: say('Your role does not allow this.', 'A sua função não o permite.'),
    invalid_parameter: say('This cannot be searched for.', 'Isto não pode ser procurado.'),
  },
} as const
