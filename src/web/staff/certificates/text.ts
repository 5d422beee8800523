import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'
import { fileRefusals } from '../uploads/index.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of certificate templates, in every language. */
export const certificatesText = {
  title: say('Certificates', 'Certificados'),
  about: say('Templates of what people get who complete a course', 'Modelos do que recebe quem conclui um curso'),
  intro: say(
    'A template says how a certificate looks and what it says. Choose it in the details of a course: everybody who completes the course gets the certificate as a page and a PDF.',
    'Um modelo diz que aspeto tem um certificado e o que ele diz. Escolha-o nos dados de um curso: quem conclui o curso recebe o certificado como página e PDF.',
  ),
  none: say('There are no templates yet.', 'Ainda não há modelos.'),
  add: say('Create a template', 'Criar um modelo'),
  blankName: say('Certificate of completion', 'Certificado de conclusão'),
  blankTitle: say('Certificate', 'Certificado'),
  blankText: say(
    'This certifies that\n{name}\nhas completed the course\n{course}\nat {school} on {date}.',
    'Certifica-se que\n{name}\nconcluiu o curso\n{course}\nem {school}, a {date}.',
  ),
  back: say('Back to the certificates', 'Voltar aos certificados'),
  courses: say('courses: {n}', 'cursos: {n}'),
  name: say('Name of the template', 'Nome do modelo'),
  nameHint: say('Only the staff see it.', 'Só a equipa o vê.'),
  heading: say('Heading', 'Título'),
  words: say('Text', 'Texto'),
  wordsHint: say(
    '{name}, {course}, {date}, {school} and {hours} are filled in. A line with only {name} or {course} is set large.',
    '{name}, {course}, {date}, {school} e {hours} são preenchidos. Uma linha só com {name} ou {course} fica maior.',
  ),
  signatureName: say('Who signs (optional)', 'Quem assina (opcional)'),
  signatureRole: say('Role of this person (optional)', 'Cargo desta pessoa (opcional)'),
  look: say('Paper and colors', 'Papel e cores'),
  orientation: say('Orientation', 'Orientação'),
  orientations: { landscape: say('Landscape', 'Horizontal'), portrait: say('Portrait', 'Vertical') },
  size: say('Paper size', 'Tamanho do papel'),
  accent: say('Frame and names', 'Moldura e nomes'),
  ink: say('Text', 'Texto'),
  background: say('Paper', 'Papel'),
  locale: say('Language of the date, such as en or pt', 'Língua da data, como pt ou en'),
  hours: say('Hours (optional)', 'Horas (opcional)'),
  hoursHint: say(
    'Without a number, it is the time that the lessons take.',
    'Sem um número, é o tempo que as aulas duram.',
  ),
  save: say('Save', 'Guardar'),
  issued: say(
    'Certificates that were already issued keep their look.',
    'Os certificados já emitidos mantêm o seu aspeto.',
  ),
  picture: say('Picture above the heading', 'Imagem por cima do título'),
  noPicture: say('There is no picture, such as a logo.', 'Não há imagem, por exemplo um logótipo.'),
  choosePicture: say('Choose a picture', 'Escolha uma imagem'),
  upload: say('Upload', 'Enviar'),
  removePicture: say('Remove the picture', 'Remover a imagem'),
  remove: say('Delete the template', 'Apagar o modelo'),
  removeAbout: say(
    'Only a template that no course uses can be deleted.',
    'Só um modelo que nenhum curso usa pode ser apagado.',
  ),
  delete: say('Delete', 'Apagar'),
  done: {
    created: say(
      'The template was created. Choose it in the details of a course.',
      'O modelo foi criado. Escolha-o nos dados de um curso.',
    ),
    saved: say('The template was changed.', 'O modelo foi alterado.'),
    deleted: say('The template was deleted.', 'O modelo foi apagado.'),
  },
  errors: {
    text: say(
      'A word in braces cannot be filled in. The possible ones are named below.',
      'Uma palavra entre chavetas não pode ser preenchida. As possíveis estão em baixo.',
    ),
    'text empty': say('Please fill this in.', 'Preencha este campo.'),
    colors_accent: say(
      'This color is hard to see on the paper. Choose a darker or lighter one.',
      'Esta cor mal se vê no papel. Escolha uma mais escura ou mais clara.',
    ),
    colors_text: say(
      'This color is hard to read on the paper. Choose a darker or lighter one.',
      'Esta cor mal se lê no papel. Escolha uma mais escura ou mais clara.',
    ),
    locale: say('Enter a language such as en or pt.', 'Escreva uma língua como pt ou en.'),
    hours: say('Enter a whole number from 1 to 100,000.', 'Escreva um número inteiro de 1 a 100 000.'),
  },
} as const

/** The sentences for refusals on these pages. */
export const certificateRefusals = {
  ...teachingText.refusals,
  ...fileRefusals,
  'invalid_body image_file_id': fileRefusals['invalid_body file_id'],
  certificate_template_in_use: say(
    'Courses use this template. Give them another one first.',
    'Há cursos que usam este modelo. Dê-lhes primeiro outro.',
  ),
} as const
