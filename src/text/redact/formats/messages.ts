/** Keys of mail, chat, calls and social networks; how a line is read stands in `../formats.ts`. */
export const messages = String.raw`
  Slack token  xox(?!o-[a-z]{4})[a-z](?:\.xox[a-z])?-(?=[A-Za-z-]{0,80}[0-9][A-Za-z0-9-]{0,80}[0-9])[A-Za-z0-9-]{8,}  xox⁂w.xoxu-St⁂Y4qWB8  xox⁂w.xoxu-St
  Slack app token  xapp-[0-9]-[A-Za-z0-9-]{10,}  xap⁂p-7-KnHfD⁂NxSIv  xap⁂p-7-KnHf
  webhook signing secret  whsec_[A-Za-z0-9+/=]{16,}  whs⁂ec_0b3jRt⁂aWr4Y9OJF⁂L  whs⁂ec_0b3jRt⁂aWr
  Twilio key  SK[0-9a-fA-F]{32}(?![A-Za-z0-9])  SKe⁂4d3cea27d⁂26934b484⁂e73cf575d⁂cad6  SKe⁂4d3cea27d⁂26934b484⁂e7
  SendGrid key  SG\.[A-Za-z0-9_-]{10,64}\.[A-Za-z0-9_-]{16,}  SG.⁂UFuXBVjdc⁂t.YVhnSg9⁂EH6yO4GFQ  SG.⁂UFuXBVjdc⁂t.YVhnSg9
  Mailgun key  key-[0-9a-f]{32}(?![A-Za-z0-9])  key⁂-1584d8c4⁂fa2815d28⁂02827283e⁂0ad841  key⁂-1584d8c4⁂fa2815d28⁂0282
  Mailgun key, new  [0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])  358⁂1569969e5⁂8b081006f⁂7e3dfc967⁂a6-cb1402⁂8d-12c979⁂1e  358⁂1569969e5⁂8b081006f⁂7e3dfc967⁂a6-cb  [0-9a-f]-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])
  Mailchimp key  [0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])  58e⁂08baa7196⁂b50ac2f86⁂702824c1c⁂09-us3  58e⁂08baa7196⁂b50ac2f86⁂7028  -us[0-9]
  Mailjet or Brevo key  xkeysib-[A-Za-z0-9-]{30,}  xke⁂ysib-l9h2⁂wJq5ty4mY⁂wUufJSunp⁂JC01t5go  xke⁂ysib-l9h2⁂wJq5ty4mY⁂wUufJ
  Telegram bot token  [0-9]{8,10}(?::|%3A)AA[A-Za-z0-9_-]{30,}  828⁂89093:AAC⁂IoX9GY1cj⁂DoBoirPfQ⁂AdzEv7g5i⁂Fq  828⁂89093:AAC⁂IoX9GY1cj⁂DoBoirP  (?::|%3A)AA
  Discord bot token  [MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}  Ovv⁂eQzE2QPuw⁂NOvpdf2YE⁂e6.xCnopM⁂.mJVQpvsT⁂nkIAeDfRr⁂GsNrfSthS⁂d  Ovv⁂eQzE2QPuw⁂NOvpdf2YE⁂e6.xCnopM⁂.mJVQpvsT⁂n  \.[A-Za-z0-9_-]{6}\.
  Facebook token  EAA[A-Za-z0-9]{80,}  EAA⁂WQ7SDtwX6⁂Ux9mge2Sn⁂vByaBbhxG⁂WetDikNt3⁂0Fk0SKbAh⁂MSwwDAWfG⁂fsy0L9flW⁂91gQk8KS0⁂N8sOfKH8  EAA⁂WQ7SDtwX6⁂Ux9mge2Sn⁂vByaBbhxG⁂WetDikNt3⁂0Fk0SKbAh⁂MSwwDAWfG⁂f
  PagerDuty key  pdus\+_[A-Za-z0-9_-]{16,}  pdu⁂s+_fysjyG⁂oUWGZ7Z54⁂v  pdu⁂s+_fysjyG⁂oUW
  Resend or Loops key  re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}  re_⁂dWxsbu37_⁂1fU5LR5Qi⁂BwKoRPtBN⁂DZ  re_⁂dWxsbu37_⁂1fU5LR5Qi⁂B
  Salesforce token  00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{60,}  00D⁂7dqftlJX7⁂zVM!6tjqD⁂uUAiEa8k0⁂UCROycSMt⁂NzlndZ7uc⁂N4NDLb2oH⁂DI34E0mfL⁂A7ujvzKfO⁂r  00D⁂7dqftlJX7⁂zVM!6tjqD⁂uUAiEa8k0⁂UCROycSMt⁂NzlndZ7uc⁂N4NDL
  Twitch stream key  live_[0-9]{6,12}_[A-Za-z0-9]{24,}  liv⁂e_626951_⁂uquKXKq8F⁂VA1p31eTJ⁂QGG4PH  liv⁂e_626951_⁂uquKXKq8F⁂VA1p
  Instagram token  IGQ[A-Za-z0-9_-]{100,}  IGQ⁂0TVFzwdl6⁂LAU87ayaC⁂FyPJugrKJ⁂zWxINM7Or⁂VtEAy4eCf⁂hxV6EwmoE⁂M3oD2XyaF⁂ptWlKz9fr⁂xvfIQ1s7T⁂5Dvd1yzrl⁂KbY0oy83g⁂T  IGQ⁂0TVFzwdl6⁂LAU87ayaC⁂FyPJugrKJ⁂zWxINM7Or⁂VtEAy4eCf⁂hxV6EwmoE⁂M3oD2XyaF⁂ptWlKz
  Facebook app token  [0-9]{13,17}\|[A-Za-z0-9_-]{27}  518⁂862461895⁂7|9SXTqto⁂rY8hzrD6p⁂ffXsBD414⁂rH  518⁂862461895⁂7|9SXTqto⁂rY8hzrD  \|[A-Za-z0-9_-]{27}
  X token  A{20}[A-Za-z0-9%]{50,}  AAA⁂AAAAAAAAA⁂AAAAAAAAy⁂iW5IMhz4D⁂KTvhKrT6D⁂lTYx9X9sL⁂RT58eMnU7⁂cZGrQXZUY⁂y9eR  AAA⁂AAAAAAAAA⁂AAAAAAAAy⁂iW5IMhz4D⁂KTvhKrT6D⁂lTYx9X9sL⁂R
`;
