import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page on which a course is published, archived, copied and deleted. */
export const publicationText = {
  title: say('Publication: {name}', 'Publicação: {name}'),
  ready: say('Nothing is missing.', 'Nada falta.'),
  missing: say('What is missing', 'O que falta'),
  missingAbout: say('The course can be published all the same.', 'O curso pode ser publicado na mesma.'),
  warnings: {
    no_lessons: say('No lesson is published yet.', 'Ainda não há nenhuma aula publicada.'),
    lesson_without_content: say('Published lessons without content:', 'Aulas publicadas sem conteúdo:'),
    no_price: say('There is no price, so only staff can enroll students.', 'Não há preço; só a equipa pode inscrever estudantes.'),
  },
  toOutline: say('Open the outline', 'Abrir o conteúdo'),
  toPrices: say('Add a price', 'Acrescentar um preço'),
  toDetails: say('Open the details', 'Abrir os dados'),
  drafts: say('Lessons that are drafts, and that learners do not see: {n}', 'Aulas que são rascunhos e que os alunos não veem: {n}'),
  publishLessons: say('Publish all lessons', 'Publicar todas as aulas'),
  noPicture: say('There is no picture.', 'Não há imagem.'),
  noDescription: say('There is no description.', 'Não há descrição.'),
  forStaff: say('Admins and owners publish courses. Tell them when this one is ready.', 'Os administradores e proprietários publicam os cursos. Avise-os quando este estiver pronto.'),
  publish: say('Publish now', 'Publicar agora'),
  publishAbout: say('Everybody can find the course and buy it. No mail is sent.', 'Todos podem encontrar e comprar o curso. Nenhum e-mail é enviado.'),
  schedule: say('Publish later', 'Publicar mais tarde'),
  at: say('Day and time ({zone})', 'Dia e hora ({zone})'),
  scheduledAt: say('It will be published on {at}.', 'Será publicado em {at}.'),
  unpublish: say('Make it a draft again', 'Tornar de novo um rascunho'),
  unpublishAbout: say('Nobody finds or buys the course any more. Who is enrolled sees that it is not available.', 'Ninguém encontra nem compra mais o curso. Quem está inscrito vê que não está disponível.'),
  archive: say('Archive', 'Arquivar'),
  archiveAbout: say('Its sale ends. Members who have access keep it.', 'A venda termina. Os membros que têm acesso mantêm-no.'),
  unarchive: say('Take it out of the archive', 'Tirar do arquivo'),
  unarchiveAbout: say('It becomes a draft again.', 'Volta a ser um rascunho.'),
  copy: say('Copy the course', 'Copiar o curso'),
  copyAbout: say('A draft with the same sections, lessons and prices, and without students.', 'Um rascunho com as mesmas secções, aulas e preços, e sem estudantes.'),
  copyName: say('Name of the copy', 'Nome da cópia'),
  delete: say('Delete the course', 'Eliminar o curso'),
  deleteAbout: say(
    'For good: nobody finds, edits or buys it any more. It is refused while members may use the course. Type its name to confirm.',
    'Para sempre: ninguém o encontra, edita ou compra. É recusado enquanto houver membros que o possam usar. Escreva o nome para confirmar.',
  ),
  deleteName: say('Name of the course', 'Nome do curso'),
  errors: {
    at: say('Enter a day and time in the future.', 'Escreva um dia e hora no futuro.'),
    confirm: say('This is not the name of the course.', 'Isto não é o nome do curso.'),
  },
} as const
