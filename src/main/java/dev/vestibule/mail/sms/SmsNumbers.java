package dev.vestibule.mail.sms;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberType;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import dev.vestibule.user.UserFields;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which numbers get SMS: mobile ones of the operator's countries. Premium and shared-cost numbers, and those of services,
 * are how fraud with SMS earns its money. Stricter than what a profile may have, where a number costs nobody anything.
 */
final class SmsNumbers {
    /** In some countries, such as those of +1, a number does not tell whether it is mobile. */
    private static final Set<PhoneNumberType> MOBILE =
            EnumSet.of(PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE_OR_MOBILE);

    private final Set<String> countries;

    SmsNumbers(List<String> countries) {
        this.countries = Set.copyOf(countries);
    }

    /** A number as people type it, in the form of E.164; refused where it gets no SMS. */
    FieldRule<String> rule(@Nullable String defaultCountry) {
        var typed = UserFields.phone(defaultCountry);
        return text -> {
            var phone = typed.read(text);
            if (!getsSms(phone)) {
                throw new InvalidValueException("must be a mobile number in a country that codes are sent to");
            }
            return phone;
        };
    }

    private boolean getsSms(String phone) {
        var numbers = PhoneNumberUtil.getInstance();
        try {
            var number = numbers.parse(phone, null);
            @Nullable String country = numbers.getRegionCodeForNumber(number); // null for a number that is not valid
            return country != null && countries.contains(country) && MOBILE.contains(numbers.getNumberType(number));
        } catch (NumberParseException invalid) {
            return false;
        }
    }
}
