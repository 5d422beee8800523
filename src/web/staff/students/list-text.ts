import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the list of students, in every language; `{…}` is filled in. */
export const listText = {
  search: say('Search people by name or address', 'Procurar pessoas por nome ou endereço'),
  more: say('More filters', 'Mais filtros'),
  state: say('Access', 'Acesso'),
  progress: say('Progress', 'Progresso'),
  progresses: {
    true: say('Completed', 'Concluído'),
    false: say('Not completed', 'Por concluir'),
  },
  any: say('Any', 'Todos'),
  all: say('Newest enrollments', 'Inscrições mais recentes'),
  found: say('Found', 'Resultados'),
  none: say('No enrollments found.', 'Nenhuma inscrição encontrada.'),
  empty: say('Nobody is enrolled yet.', 'Ainda ninguém está inscrito.'),
  nobody: say('No students found.', 'Nenhum aluno encontrado.'),
  enrollments: say('courses: {n}', 'cursos: {n}'),
  finished: say('completed: {n}', 'concluídos: {n}'),
  enrollPerson: say('Enroll in another course', 'Inscrever noutro curso'),
  person: say('Account of this person', 'Conta desta pessoa'),
  clear: say('Show all students', 'Mostrar todos os alunos'),
  pending: say('Enrolled by address, and not here yet', 'Inscritos por endereço, e ainda não aqui'),
  pendingAbout: say(
    'They appear among the others once they join the school or begin to learn.',
    'Aparecem entre os outros quando entrarem na escola ou começarem a aprender.',
  ),
  takeBack: say('Take back', 'Retirar'),
  done: {
    enrolled: say('The person is enrolled.', 'A pessoa está inscrita.'),
    taken_back: say('The access was taken back.', 'O acesso foi retirado.'),
  },
} as const
