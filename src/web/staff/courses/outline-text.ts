import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of an outline. */
export const outlineText = {
  empty: say(
    'A course has sections, and sections have lessons. Begin with the name of the first section, such as “Welcome”.',
    'Um curso tem secções, e as secções têm aulas. Comece pelo nome da primeira secção, por exemplo «Bem-vindo».',
  ),
  sectionName: say('Name of the section', 'Nome da secção'),
  addSection: say('Add a section', 'Acrescentar uma secção'),
  lessonName: say('Name of the lesson', 'Nome da aula'),
  lessonType: say('Type (cannot be changed later)', 'Tipo (não pode ser mudado depois)'),
  addLesson: say('Add a lesson', 'Acrescentar uma aula'),
  edit: say('Rename or remove', 'Mudar o nome ou remover'),
  rename: say('Rename', 'Mudar o nome'),
  removeSection: say('Remove the section', 'Remover a secção'),
  removeAbout: say(
    'Removing the section takes its lessons ({n}) out of the course. Progress is kept, and both can be restored below.',
    'Remover a secção retira as suas aulas ({n}) do curso. O progresso é mantido, e tudo pode ser recuperado mais abaixo.',
  ),
  preview: say('free preview', 'aula aberta'),
  drip: say('released later', 'abre mais tarde'),
  optional: say('optional', 'opcional'),
  show: say('Publish', 'Publicar'),
  hide: say('Make a draft', 'Tornar rascunho'),
  removed: say('Removed sections and lessons', 'Secções e aulas removidas'),
  removedAbout: say(
    'They keep their content and the progress of learners. A section comes back with the lessons that were removed with it.',
    'Mantêm o conteúdo e o progresso dos alunos. Uma secção volta com as aulas que foram removidas com ela.',
  ),
  restore: say('Restore', 'Recuperar'),
  publish: say('Check and publish the course', 'Verificar e publicar o curso'),
} as const
