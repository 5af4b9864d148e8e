/** Names of the columns in other languages: without spaces, separated by spaces. */
import { type ColumnName, foldedNames, foldHeader } from '../columns.ts';

export function foreignHeaders(column: ColumnName): readonly string[] {
  const tables = [chineseHeaders, westernHeaders, easternHeaders];
  return [...foldedNames(tables.map((table) => table[column] ?? '').join(' '))].filter(Boolean);
}

type Names = { readonly [Name in ColumnName]?: string };

const chineseHeaders: Names = {
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

/** German, French, Spanish, Indonesian, Portuguese and Italian, in this order. */
const westernHeaders: Names = {
  key:
    '# clave cle chave chiave schlussel kunci nummer lfdnr laufnummer zeile zeilennummer kennung numero ligne identifiant fila identificador nomor ' +
    'linha',
  creator:
    'kreator kreatorin ersteller erstellerin kanal profil konto benutzername nutzername creatorin autor autorin ' +
    'influencerin createur createurice createurrice createurtrice creatrice createurcreatrice compte influenceur ' +
    'influenceuse influenceureuse influenceurse influenceurinfluenceuse talente utilisateur nomdutilisateur ' +
    'creador creadora creadorcreadora cuenta usuario usuarioa nombredeusuario perfil akun pengguna namapengguna ' +
    'kreatorkonten criador criadora criadorcriadora influenciador influenciadora influenciadorinfluenciadora ' +
    'conta nomedeusuario creatore creatrice creatorecreatrice profilo utente nomeutente',
  media:
    'datei dateiname videodatei bild bilder foto fotos medien medium fichier nomdufichier medias archivo ' +
    'nombredearchivo imagen imagenes medios berkas gambar arquivo nomedoarquivo ficheiro imagem imagens ' +
    'midia midias immagine immagini nomefile',
  media_type: 'typ medientyp typedemedia tipo tipodemedio jenis tipe tipodemidia tipodicontenuto',
  caption:
    'beschreibung bildunterschrift beitragstext titel legende texte titre texto titulo descripcion leyenda ' +
    'keterangan teks deskripsi judul takarir legenda descricao didascalia descrizione testo titolo',
  product_id:
    'itemid productno productnumber produktid produktnummer produktnr artikelid artikelnummer artikelnr ' +
    'idproduit idduproduit numeroproduit idproducto iddelproducto numerodeproducto idproduk nomorproduk ' +
    'idproduto iddoproduto identifiantproduit codeproduit referenceproduit iddeproducto codigoproducto codigodeproducto codigodelproducto iddeproduto codigoproduto codigodeproduto codigodoproduto idprodotto iddelprodotto codiceprodotto',
  product_title:
    'itemname produktname produkttitel produktbezeichnung artikelname artikelbezeichnung nomproduit ' +
    'nomduproduit titreduproduit nombreproducto nombredelproducto titulodelproducto namaproduk judulproduk ' +
    'nomeproduto nomedoproduto titulodoproduto nombredeproducto nomedeproduto nomeprodotto nomedelprodotto titoloprodotto titolodelprodotto',
  product_source: 'quelle produktquelle sourceduproduit origen fuente sumber origem fonte',
  showcase: 'schaufenster vitrine escaparate vitrina etalase vetrina',
  product_link:
    'produktlink produkturl lien lienproduit lienduproduit enlace enlacedelproducto tautan tautanproduk ' +
    'linkproduk linkdoproduto linkprodotto linkdelprodotto collegamento',
  scheduled_at:
    'datum termin zeitpunkt postdatum postingdatum veroffentlichung veroffentlichungsdatum datedepublication ' +
    'publication fecha fechadepublicacion publicacion tanggal tanggalposting tanggaltayang jadwal data ' +
    'datadepublicacao publicacao agendamento datadipubblicazione datapubblicazione pubblicazione programmazione',
  scheduled_time:
    'uhrzeit zeit heure horaire heuredepublication hora horadepublicacion jam pukul waktu horario ' +
    'horadapublicacao ora orario oradipubblicazione orapubblicazione',
  scheduled_tz: 'zeitzone fuseau fuseauhoraire zonahoraria zonawaktu fuso fusohorario fusoorario',
  oauth_region: 'land pays pais negara wilayah regiao paese regione',
  is_ai_generated:
    'kigeneriert kikennzeichnung kilabel mitki genereparia generadoporia dibuatai buatanai geradoporia',
  pre_check: 'vorprufung verificationprealable revisionprevia praperiksa verificacaoprevia',
  music_id: 'musik musikid musique musica',
  music_title: 'musiktitel lied titredelamusique cancion titulodelamusica judulmusik lagu titulodamusica',
  music_author: 'interpret kunstler artiste artista penyanyi',
  cover: 'titelbild vorschaubild couverture miniature vignette portada miniatura sampul capa copertina',
  ai_prompt: 'kiprompt promptia promptai perintah',
  ai_model: 'kimodell modell modele modeleia modelo modeloia modelai modello',
  ai_seconds: 'dauer lange sekunden duree secondes duracion segundos durasi detik duracao durata secondi',
  ai_size: 'große auflosung taille resolution tamano resolucion ukuran resolusi tamanho resolucao',
  ai_aspect_ratio: 'seitenverhaltnis proportions proporcion relaciondeaspecto rasio proporcao',
  ai_references:
    'referenz referenzen referenzbild referenzbilder imagedereference imagesdereference referencias imagendereferencia imagenesdereferencia referensi ' +
    'imagemdereferencia imagensdereferencia',
  ai_count: 'anzahl nombre cantidad jumlah quantidade quantita',
  ai_watermark: 'wasserzeichen filigrane marcadeagua tandaair marcadagua',
};

/** Vietnamese, Thai, Malay, Japanese and Korean, in this order. */
const easternHeaders: Names = {
  key: 'stt sothutu madong ลำดับ ลำดับที่ bilangan 番号 連番 管理番号 번호 순번',
  creator:
    'nhasangtao nguoisangtao kol koc kolkoc taikhoan tentaikhoan tennguoidung ครีเอเตอร์ ผู้สร้าง ' +
    'อินฟลูเอนเซอร์ บัญชี ชื่อบัญชี ชื่อผู้ใช้ pencipta penciptakandungan pempengaruh akaun namaakaun ' +
    'クリエイター クリエーター インフルエンサー アカウント アカウント名 ユーザー名 投稿者 크리에이터 ' +
    '인플루언서 계정 계정명 사용자명',
  media:
    'tep tentep tepvideo linkvideo duongdanvideo hinhanh anh วิดีโอ คลิป ไฟล์ ชื่อไฟล์ ไฟล์วิดีโอ ' +
    'ลิงก์วิดีโอ ลิงค์วิดีโอ รูป รูปภาพ ภาพ สื่อ namafail failvideo 動画 動画ファイル 動画url ' +
    '動画リンク ファイル ファイル名 画像 写真 メディア 영상 동영상 비디오 영상파일 영상링크 파일 파일명 ' +
    '이미지 사진 미디어',
  media_type: 'loai loainoidung dinhdang ประเภท ประเภทสื่อ 種類 種別 投稿タイプ 유형 종류 콘텐츠유형',
  caption:
    'chuthich noidung mota tieude แคปชั่น แคปชัน คำบรรยาย ข้อความ คำอธิบาย kapsyen huraian ' +
    'キャプション 投稿文 本文 説明文 説明 テキスト タイトル 캡션 문구 본문 설명 내용 제목',
  product_id:
    'idsanpham masanpham masp idsp sanpham รหัสสินค้า ไอดีสินค้า idสินค้า สินค้า kodproduk 商品番号 ' +
    '商品コード 製品id 製品番号 상품id 상품번호 상품코드 제품id 제품번호 제품코드',
  product_title:
    'tensanpham tensp tieudesanpham tenhienthigiohang tieudegiohang tengiohang ชื่อสินค้า 商品タイトル 製品名 상품명 상품제목 제품명',
  showcase: 'tutrungbay โชว์เคส ショーケース 쇼케이스',
  product_link:
    'linksanpham duongdansanpham ลิงก์สินค้า ลิงค์สินค้า pautanproduk 商品リンク 商品url 상품링크 상품url 제품링크',
  scheduled_at:
    'ngaydang ngaygiodang lichdang thoigiandang ngay วันที่ วันที่โพสต์ วันที่ลง วันลง วันเวลา กำหนดโพสต์ tarikh ' +
    'tarikhsiaran tarikhhantar 投稿日 投稿日時 公開日 公開日時 予約日時 配信日 日付 日時 게시일 게시일시 ' +
    '게시날짜 업로드일 발행일 예약일시 날짜 일시',
  scheduled_time:
    'gio giodang thoigian เวลา เวลาโพสต์ เวลาลง masa masasiaran 時間 投稿時間 投稿時刻 公開時間 시간 시각 ' +
    '게시시간 업로드시간',
  scheduled_tz: 'muigio เขตเวลา โซนเวลา zonmasa タイムゾーン 시간대',
  oauth_region: 'quocgia khuvuc thitruong ประเทศ ภูมิภาค 国 地域 국가 지역',
  music_id: 'nhac amnhac nhacnen เพลง muzik 音楽 楽曲 음악 배경음악',
  cover: 'anhbia ภาพปก รูปปก muka カバー カバー画像 サムネイル 커버 썸네일 표지',
  ai_prompt: 'caulenh พรอมต์ คำสั่ง プロンプト 프롬프트',
  ai_model: 'mohinh โมเดล モデル 모델',
  ai_seconds: 'thoiluong ความยาว tempoh 長さ 길이',
  ai_size: 'kichthuoc ขนาด saiz サイズ 크기',
  ai_aspect_ratio: 'tyle อัตราส่วน nisbah 比率 アスペクト比 비율',
  ai_references: 'anhthamkhao ภาพอ้างอิง 参考画像 참고이미지',
  ai_count: 'soluong จำนวน 枚数 수량 개수',
  ai_watermark: 'ลายน้ำ 透かし 워터마크',
};

const products = foldedNames(
  'product 商品 产品 produkt produit producto produk produto prodotto artikel article articulo artigo articolo item ' +
    'sanpham สินค้า 製品 상품 제품',
);
const titles = foldedNames('title 标题 titel titre titulo judul titolo tieude タイトル 제목');

/** Whether it may mean the id of the product or its name. */
export function mayBeIdOrName(header: string): boolean {
  return products.has(foldHeader(header));
}

/** Whether it means the caption, unless another column does: then it may be the title of the product. */
export function mayBeTitle(header: string): boolean {
  return titles.has(foldHeader(header));
}
