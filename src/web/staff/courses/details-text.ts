import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page with the details of a course. */
export const detailsText = {
  title: say('Details: {name}', 'Dados: {name}'),
  name: say('Name', 'Nome'),
  subtitle: say('Subtitle', 'Subtítulo'),
  description: say('Description (Markdown)', 'Descrição (Markdown)'),
  slug: say('Address', 'Endereço'),
  slugHint: say(
    'The last part of the address of the course, after /courses/. Earlier ones still lead to it.',
    'A última parte do endereço do curso, a seguir a /courses/. Os anteriores continuam a levar a ele.',
  ),
  visibility: say('Once published', 'Depois de publicado'),
  visibilities: {
    listed: say('in lists and for search engines', 'em listas e para motores de busca'),
    unlisted: say('only for those who have its address', 'só para quem tem o endereço'),
  },
  categories: say('Categories', 'Categorias'),
  noCategories: say('The school has no categories yet.', 'A escola ainda não tem categorias.'),
  tags: say('Tags, separated by commas', 'Etiquetas, separadas por vírgulas'),
  certificate: say('Certificate', 'Certificado'),
  noCertificate: say('No certificate', 'Sem certificado'),
  noTemplates: say(
    'A certificate needs a template, which says how it looks.',
    'Um certificado precisa de um modelo, que diz que aspeto tem.',
  ),
  addTemplate: say('Create a template', 'Criar um modelo'),
  templates: say('Templates of certificates', 'Modelos de certificados'),
  search: say('For search engines and other systems', 'Para motores de busca e outros sistemas'),
  seoTitle: say('Title (the name of the course without one)', 'Título (sem ele, o nome do curso)'),
  seoDescription: say('Description (the subtitle without one)', 'Descrição (sem ela, o subtítulo)'),
  externalId: say('External id', 'Identificador externo'),
  picture: say('Picture', 'Imagem'),
  noPicture: say(
    'There is no picture yet. Courses with one are noticed in lists.',
    'Ainda não há imagem. Os cursos com imagem notam-se nas listas.',
  ),
  choosePicture: say('Choose a picture', 'Escolha uma imagem'),
  pictureHint: say(
    'PNG, JPEG or WebP, at best 1280 pixels wide or more.',
    'PNG, JPEG ou WebP, de preferência com 1280 pixels de largura ou mais.',
  ),
  upload: say('Upload', 'Enviar'),
  removePicture: say('Remove the picture', 'Remover a imagem'),
  lecturers: say('Lecturers', 'Docentes'),
  lecturersAbout: say(
    'They see and edit this course, and its page shows them.',
    'Veem e editam este curso, e a página mostra-os.',
  ),
  noLecturers: say('Nobody teaches this course yet.', 'Ninguém dá este curso ainda.'),
  addLecturer: say('Add a lecturer', 'Acrescentar um docente'),
  allLecturers: say('Profiles of lecturers', 'Perfis dos docentes'),
  add: say('Add', 'Acrescentar'),
  errors: {
    slug: say(
      'Use lower-case letters, digits and single hyphens, such as sourdough-from-scratch.',
      'Use letras minúsculas, algarismos e hífenes simples, como pao-de-massa-mae.',
    ),
    tags: say(
      'At most 20 tags, each of at most 50 characters.',
      'No máximo 20 etiquetas, cada uma com no máximo 50 caracteres.',
    ),
    category_ids: say('Choose at most 20 categories.', 'Escolha no máximo 20 categorias.'),
  },
} as const
