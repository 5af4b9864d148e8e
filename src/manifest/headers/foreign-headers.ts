/** Names of the columns in other languages, and of a planner's own column of states: as `foldHeader` returns them, separated by spaces. */
import { type ColumnName, foldHeader } from '../columns.ts';

export function foreignHeaders(column: ColumnName): readonly string[] {
  const own = new Set([...chineseHeaders[column].split(' '), ...(otherHeaders[column] ?? '').split(' ')]);
  own.delete('');
  return [...own];
}

const chineseHeaders: { readonly [Name in ColumnName]: string } = {
  key: '编号 序号 行号 行编号 唯一编号 唯一标识 任务编号',
  creator:
    '达人 创作者 达人账号 达人名称 达人昵称 达人用户名 达人id 创作者账号 创作者id 账号 帐号 ' +
    '账号id 用户名 博主 主播',
  media:
    '素材 素材链接 素材地址 素材路径 素材文件 媒体 媒体文件 文件 文件名 文件路径 视频 ' +
    '视频链接 视频地址 视频文件 视频路径 视频素材 图片 图片链接 图片地址 图片文件 图片路径 ' +
    '图片素材 图文素材 照片',
  media_type: '类型 媒体类型 素材类型 作品类型 内容类型 发布类型',
  caption:
    '标题 文案 视频标题 视频文案 作品标题 作品描述 发布文案 发布标题 帖子标题 描述 视频描述 ' +
    '正文 文字 内容',
  product_id: '商品id 商品编号 商品 产品id 产品编号 产品',
  product_title:
    '商品名称 商品标题 商品名 商品短标题 产品名称 产品标题 产品名 锚点标题 锚点文案 ' +
    '小黄车标题 购物车标题',
  product_source: '商品来源 产品来源 来源',
  showcase: '橱窗 加橱窗 添加橱窗 加入橱窗 是否加橱窗 添加到橱窗 是否添加橱窗',
  product_link: '商品链接 商品地址 产品链接 产品地址 链接',
  scheduled_at:
    '发布时间 发布日期 定时 定时发布 定时发布时间 定时时间 计划时间 计划发布时间 预约时间 ' +
    '预约发布时间 排期 排期时间 上线时间',
  scheduled_time: '时间 时刻 发布时刻 几点',
  scheduled_tz: '时区 发布时区 排期时区',
  lead: '提前 提前时间 提前量',
  approve: '审批 是否审批 需审批 审核 是否审核',
  oauth_region: '地区 区域 国家 国家地区 授权地区 授权区域 账号地区 站点',
  is_ai_generated: 'ai生成 是否ai生成 ai标识 ai标签 ai声明 ai生成内容 标注ai生成',
  pre_check: '预检 是否预检 预审 预检测 发布前预检 发布前检测',
  pre_check_overtime: '预检超时 预检超时时间 预审超时 预检超时秒数',
  music_id: '音乐 音乐id 背景音乐 背景音乐id 配乐 bgm',
  music_title: '音乐名称 音乐标题 音乐名 背景音乐名称 歌名 歌曲名称',
  music_author: '音乐作者 歌手 音乐人 背景音乐作者',
  music_duration: '音乐时长 背景音乐时长',
  cover_timestamp_ms: '封面时间 封面时间戳 封面帧 封面毫秒 封面帧时间 封面时间毫秒',
  cover: '封面 封面图 封面图片 封面文件 封面链接 封面图链接 封面路径 视频封面',
  cover_file_id: '封面文件id 封面id 封面图文件id',
  cover_uri: '封面uri 封面图uri',
  ai_prompt: '提示词 ai提示词 生成提示词 视频提示词 图片提示词 提示语 ai提示语 prompt提示词',
  ai_model: '模型 ai模型 生成模型 模型名称 视频模型 图片模型',
  ai_seconds: '时长 视频时长 ai时长 秒数 生成时长 视频秒数 时长秒',
  ai_size: '尺寸 视频尺寸 ai尺寸 分辨率 视频分辨率 生成尺寸',
  ai_aspect_ratio: '比例 宽高比 画面比例 图片比例 长宽比 ai比例',
  ai_references: '参考图 参考图片 参考素材 参考图链接 参考 ai参考图 垫图',
  ai_count: '数量 生成数量 图片数量 生成张数 张数 ai数量',
  ai_watermark: '水印 是否加水印 ai水印 视频水印',
  ai_exec_at: '生成时间 ai生成时间 执行时间 开始生成时间 ai执行时间',
  ai_prompt_id: '提示词id ai提示词id 提示词编号',
  ai_name: '生成名称 ai名称 ai任务名称 生成任务名称',
  ai_business_id: '业务id ai业务id 业务编号',
  ai_business_type: '业务类型 ai业务类型',
};

/** German, French, Spanish, Indonesian and Portuguese, in this order. */
const otherHeaders: { readonly [Name in ColumnName]?: string } = {
  key:
    'nummer lfdnr laufnummer zeile zeilennummer kennung numero ligne identifiant fila identificador nomor ' +
    'linha',
  creator:
    'kreator kreatorin ersteller erstellerin kanal profil konto benutzername nutzername creatorin autor autorin ' +
    'influencerin createur createurice createurrice createurtrice creatrice createurcreatrice compte influenceur ' +
    'influenceuse influenceureuse influenceurse influenceurinfluenceuse talente utilisateur nomdutilisateur ' +
    'creador creadora creadorcreadora cuenta usuario usuarioa nombredeusuario perfil akun pengguna namapengguna ' +
    'kreatorkonten criador criadora criadorcriadora influenciador influenciadora influenciadorinfluenciadora ' +
    'conta nomedeusuario',
  media:
    'datei dateiname videodatei bild bilder foto fotos medien medium fichier nomdufichier medias archivo ' +
    'nombredearchivo imagen imagenes medios berkas gambar arquivo nomedoarquivo ficheiro imagem imagens ' +
    'midia midias',
  media_type: 'typ medientyp typedemedia tipo tipodemedio jenis tipe tipodemidia',
  caption:
    'beschreibung bildunterschrift beitragstext titel legende texte titre texto titulo descripcion leyenda ' +
    'keterangan teks deskripsi judul takarir legenda descricao',
  product_id:
    'itemid productno productnumber produktid produktnummer produktnr artikelid artikelnummer artikelnr ' +
    'idproduit idduproduit numeroproduit idproducto iddelproducto numerodeproducto idproduk nomorproduk ' +
    'idproduto iddoproduto',
  product_title:
    'itemname produktname produkttitel produktbezeichnung artikelname artikelbezeichnung nomproduit ' +
    'nomduproduit titreduproduit nombreproducto nombredelproducto titulodelproducto namaproduk judulproduk ' +
    'nomeproduto nomedoproduto titulodoproduto',
  product_source: 'quelle produktquelle sourceduproduit origen fuente sumber origem fonte',
  showcase: 'schaufenster vitrine escaparate vitrina etalase',
  product_link:
    'produktlink produkturl lien lienproduit lienduproduit enlace enlacedelproducto tautan tautanproduk ' +
    'linkproduk linkdoproduto',
  scheduled_at:
    'datum termin zeitpunkt postdatum postingdatum veroffentlichung veroffentlichungsdatum datedepublication ' +
    'publication fecha fechadepublicacion publicacion tanggal tanggalposting tanggaltayang jadwal data ' +
    'datadepublicacao publicacao agendamento',
  scheduled_time:
    'uhrzeit zeit heure horaire heuredepublication hora horadepublicacion jam pukul waktu horario ' +
    'horadapublicacao',
  scheduled_tz: 'zeitzone fuseau fuseauhoraire zonahoraria zonawaktu fuso fusohorario',
  oauth_region: 'land pays pais negara wilayah regiao',
  is_ai_generated:
    'kigeneriert kikennzeichnung kilabel mitki genereparia generadoporia dibuatai buatanai geradoporia',
  pre_check: 'vorprufung verificationprealable revisionprevia praperiksa verificacaoprevia',
  music_id: 'musik musikid musique musica',
  music_title: 'musiktitel lied titredelamusique cancion titulodelamusica judulmusik lagu titulodamusica',
  music_author: 'interpret kunstler artiste artista penyanyi',
  cover: 'titelbild vorschaubild couverture miniature vignette portada miniatura sampul capa',
  ai_prompt: 'kiprompt promptia promptai perintah',
  ai_model: 'kimodell modell modele modeleia modelo modeloia modelai',
  ai_seconds: 'dauer lange sekunden duree secondes duracion segundos durasi detik duracao',
  ai_size: 'große auflosung taille resolution tamano resolucion ukuran resolusi tamanho resolucao',
  ai_aspect_ratio: 'seitenverhaltnis proportions proporcion relaciondeaspecto rasio proporcao',
  ai_references:
    'referenz referenzen referenzbilder imagesdereference referencias imagenesdereferencia referensi ' +
    'imagensdereferencia',
  ai_count: 'anzahl nombre cantidad jumlah quantidade',
  ai_watermark: 'wasserzeichen filigrane marcadeagua tandaair marcadagua',
};

/** English, Chinese, German, French, Spanish, Indonesian and Portuguese. */
const statusHeaders: ReadonlySet<string> = new Set(
  [
    'status state poststatus postingstatus publishstatus publishingstatus currentstatus rowstatus contentstatus',
    '状态 发布状态 当前状态 帖子状态 作品状态 内容状态 发布情况',
    'stand zustand beitragsstatus veroffentlichungsstatus postingstatus',
    'statut etat poste statutdupost statutdepublication etatdelapublication',
    'estado estatus estadodelpost estadodepublicacion situacion',
    'statusposting statuspostingan statustayang keadaan',
    'situacao statusdapublicacao statusdopost estadodapublicacao',
  ].flatMap((names) => names.split(' ')),
);

/** Whether a header names a planner's own column of states, such as `Status`. A mark of a note in front of it does not count. */
export function isStatusHeader(name: string): boolean {
  return statusHeaders.has(foldHeader(name.replace(/^[_#]/, ''))) || isPostedHeader(name);
}

/** A tick says that the row is posted. In the same languages; of words that are also dates or states, with a question mark. */
const postedHeaders: ReadonlySet<string> = new Set(
  (
    'posted isposted alreadyposted published? live? online? 已发 已发布 已发布? gepostet veroffentlicht? poste? postee publie? ' +
    'publiee? enligne? posteado posteado? publicado? publicada? diposting terbit? tayang? postado postada noar?'
  ).split(' '),
);

/** Whether a header names a planner's own column of ticks for posts: `Posted?`. */
export function isPostedHeader(name: string): boolean {
  const folded = foldHeader(name.replace(/^[_#]/, ''));
  // `Poste` may be a position in French, or `Posté` without its accent: a tick there says nothing.
  const isAccented = folded === 'poste' && name.normalize('NFC').toLowerCase().includes('é');
  return isAccented || postedHeaders.has(folded) || postedHeaders.has(folded.replace('?', ''));
}

const products: ReadonlySet<string> = new Set(
  'product 商品 产品 produkt produit producto produk produto artikel article articulo artigo item'.split(' '),
);
const titles: ReadonlySet<string> = new Set('title 标题 titel titre titulo judul'.split(' '));

/** Whether it may mean the id of the product or its name. */
export function mayBeIdOrName(header: string): boolean {
  return products.has(foldHeader(header));
}

/** Whether it means the caption, unless another column does: then it may be the title of the product. */
export function mayBeTitle(header: string): boolean {
  return titles.has(foldHeader(header));
}
